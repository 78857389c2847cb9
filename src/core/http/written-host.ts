/** Whether a text is a host as `URL` writes it, without a port. Another spelling (`2130706433`, `ex%61mple`) would never match a URL. */
export function isWrittenHost(text: string): boolean {
  const plain = text.toLowerCase()
  const written = plain.includes(':') && !plain.startsWith('[') ? `[${plain}]` : plain
  if (!/^[^/?#@\\*\s]+$/.test(plain) || !URL.canParse(`http://${written}/`)) return false
  const { hostname, port } = new URL(`http://${written}/`)
  return hostname === written && port === ''
}
