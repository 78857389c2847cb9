/** A list of headers. `null` means unknown. */
export function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> | null }) {
  if (headers === null) return <p class="muted">No headers are known of this attempt.</p>
  return (
    <dl class="traffic-headers">
      {Object.entries(headers).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
