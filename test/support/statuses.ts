import type { CallOptions, Client } from './test-api.ts'

/** A request as `GET /plants`, or with options as `['GET /plants', { key: 'key_free' }]`. */
export type Asked = string | readonly [asked: string, options: CallOptions]

export async function statusesOf(call: Client['call'], ...asked: readonly Asked[]): Promise<number[]> {
  const found: number[] = []
  for (const one of asked) {
    const [line, options] = typeof one === 'string' ? [one] : one
    const [method, path] = line.split(' ') as [string, string]
    found.push((await call(method, path, options)).status)
  }
  return found
}
