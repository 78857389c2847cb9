import { toCountText, toPlural } from '../../components/words.ts'
import { useAnswer } from '../../data/panel.ts'

/**
 * What a kind of request was, and what lets it reach a world. The codes of other errors stand for
 * themselves.
 */
const kinds: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  foreign_page: ['from a page of another origin', '--cors ORIGIN allows it'],
  foreign_host: ['for another Host', '--allow-host NAME allows it'],
  lower_case_method: ['with a method in small letters', 'write PATCH, not patch'],
  headers_too_large: ['with more than 16 KiB of headers', 'send smaller ones'],
  tls: [
    'with https in place of http, or the other way round',
    'see the URL that the server prints',
  ],
  request_timeout: ['that stopped half-way', 'send the whole request'],
  invalid_http: ['that are not HTTP', 'look at what the client sends'],
  unknown_scenario: ['with an unknown scenario', 'look at X-Greenhouse-Scenario'],
  unauthorized: ['of the control API without its token', 'send the value of --token'],
}

/** Requests that came as they should, and reach no world. */
const expected = ['preflight', 'handled']

/** One line about requests that reached no world, which no list has. */
export function Unrecorded() {
  const { unrecorded = {} } =
    useAnswer('GET /worlds/{world}/journal', { query: { limit: 1 } }, ['unrecorded']).value.value ??
    {}
  const counts = Object.entries(unrecorded).filter(([kind]) => !expected.includes(kind))
  if (counts.length === 0) return null
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <p class="callout callout-warning below breaks" role="status">
      {toPlural(total, 'request')} reached no world:{' '}
      {counts
        .map(([kind, count]) => {
          const [what, cure] = kinds[kind] ?? [`refused as ${kind}`, undefined]
          return `${toCountText(count)} ${what}${cure === undefined ? '' : ` (${cure})`}`
        })
        .join(', ')}
      .
    </p>
  )
}
