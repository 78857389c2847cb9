/** The id of a record that is made up: `app_aaaaaaaaaaaaaaaa`. */
export function madeUpId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}
