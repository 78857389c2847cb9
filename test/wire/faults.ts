/** Every fault that a client meets on the wire, as a scenario's file asks for it. */
export const wireFaults: Readonly<Record<string, object>> = {
  timeout: { kind: 'timeout' },
  'network-error': { kind: 'network-error' },
  reset: { kind: 'reset' },
  'empty-reply': { kind: 'empty-reply' },
  garbage: { kind: 'garbage' },
  'truncate, honest': { kind: 'truncate', at: 20 },
  'truncate, lying': { kind: 'truncate', at: 20, content_length: 'lying' },
  drip: { kind: 'drip', bytes_per_second: 400 },
  'bad-utf8': { kind: 'bad-utf8' },
  'headers, wrong type': { kind: 'headers', set: { 'Content-Type': 'text/html' } },
}

/** As scenarios, by a name that a scenario can have. */
export function toScenarios(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(wireFaults).map(([name, fault]) => [
      toName(name),
      { title: name, description: name, covers: name, fault: [fault] },
    ]),
  )
}

export function toName(fault: string): string {
  return fault.replace(', ', '-').replaceAll(' ', '-')
}
