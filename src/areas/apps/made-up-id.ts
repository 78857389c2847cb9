/** Returns the id of a generated record: `app_aaaaaaaaaaaaaaaa`. */
export function placeholderId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}
