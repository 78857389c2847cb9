import { HeaderFacts } from '../../components/index.ts'

/** A list of headers. `null` means unknown. */
export function HeaderList({ headers }: { readonly headers: Readonly<Record<string, string>> | null }) {
  if (headers === null) return <p class="muted">No headers are known of this attempt.</p>
  return <HeaderFacts headers={headers} />
}
