import { execFile } from 'node:child_process'
import { request } from 'node:http'
import type { Page, Request } from 'playwright-core'

/** Gets a URL and describes the result, within so many milliseconds. */
export type Client = (url: string, patience: number) => Promise<string>

const key = 'Bearer key_pro'

/** curl's output and exit code. */
export const curl: Client = (url, patience) =>
  new Promise((resolve) => {
    execFile(
      'curl',
      ['--silent', '--show-error', '--max-time', String(patience / 1_000), '--header', `Authorization: ${key}`, url],
      { encoding: 'buffer' },
      (error, stdout, stderr) => {
        if (!error) resolve(toBody(stdout))
        else
          resolve(
            `exit ${error.code}: ${stderr
              .toString()
              .trim()
              .replace(/^curl: \(\d+\) /, '')
              .replace(
                /\d+ (milliseconds|out of|bytes)/g,
                'n $1',
              )}${stdout.length > 0 ? `, after ${stdout.length} bytes` : ''}`,
          )
      },
    )
  })

/** The error of Node's fetch. */
export const nodeFetch: Client = async (url, patience) => {
  try {
    const response = await fetch(url, { headers: { authorization: key }, signal: AbortSignal.timeout(patience) })
    return toBody(Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
    return `${name}: ${message}${cause ? `, cause ${cause.code ?? cause.name}: ${cause.message}` : ''}`
  }
}

/** The events of node:http. */
export const nodeHttp: Client = (url, patience) =>
  new Promise((resolve) => {
    const tell = (where: string) => (error: NodeJS.ErrnoException) =>
      resolve(`${where}: ${error.code ?? error.name}: ${error.message}`)
    const asked = request(
      url,
      { headers: { authorization: key }, agent: false, signal: AbortSignal.timeout(patience) },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(toBody(Buffer.concat(chunks))))
        response.on('error', tell('response error'))
      },
    )
    asked.on('error', tell('request error'))
    asked.end()
  })

/** The error of a page's fetch, and Chromium's message. */
export const inChromium =
  (page: Page): Client =>
  async (url, patience) => {
    const failures: string[] = []
    const listen = (failed: Request) => void (failed.url() === url && failures.push(failed.failure()!.errorText))
    page.on('requestfailed', listen)
    const told = await page.evaluate(
      async ([url, key, patience]) => {
        try {
          const response = await fetch(url, { headers: { authorization: key }, signal: AbortSignal.timeout(patience) })
          return { bytes: [...new Uint8Array(await response.arrayBuffer())] }
        } catch (error) {
          return { error: `${(error as Error).name}: ${(error as Error).message}` }
        }
      },
      [url, key, patience] as const,
    )
    page.off('requestfailed', listen)
    return 'error' in told ? [told.error, ...failures].join(', ') : toBody(Buffer.from(told.bytes!))
  }

/** A body that came: how much of it, and whether it is what it says. */
function toBody(bytes: Buffer): string {
  const whole = `${bytes.length} bytes`
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return `no error, ${whole} of JSON`
  } catch (error) {
    return `no error, ${whole} that are no ${error instanceof SyntaxError ? 'JSON' : 'UTF-8'}`
  }
}
