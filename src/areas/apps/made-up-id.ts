/** Returns the id of a generated record: `app_aaaaaaaaaaaaaaaa`. */
export function madeUpId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}
