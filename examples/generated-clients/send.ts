/** Sends a request of the generated functions. Streams are text. */
export async function send<Reply>(url: string, options: RequestInit): Promise<Reply> {
  const headers = { ...options.headers, Authorization: `Bearer ${process.env['API_KEY']}` }
  const response = await fetch(url, { ...options, headers })
  const isJson = response.headers.get('Content-Type') === 'application/json'
  const data: unknown = isJson ? await response.json() : await response.text()
  return { data, status: response.status, headers: response.headers } as Reply
}
