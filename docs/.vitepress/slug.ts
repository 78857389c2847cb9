/**
 * The anchor of a heading, as GitHub makes it: a link to it works in the repository and on the
 * site.
 */
export function toSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
