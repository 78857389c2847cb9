/** Whether a text is an origin exactly as browsers send it: `http://localhost:5173`. No path, no default port, nothing in upper case. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s]+$/.test(text) || !URL.canParse(text)) return false
  // Of one that is none of the web's, a page in an app say, URL gives no origin.
  const { host, protocol } = new URL(text)
  return `${protocol}//${host}` === text
}
