/** Whether a text is an origin exactly as browsers send it: `http://localhost:5173`. No path, no default port, no upper case. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\*\s]+$/.test(text) || !URL.canParse(text)) return false
  // For schemes outside the web, such as an app's, URL has no origin.
  const { host, protocol } = new URL(text)
  return `${protocol}//${host}` === text
}
