import { parse } from 'content-type'

// Apart from request.ts, so that what a page loads of that has no parser.
export function isJsonInUtf8(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const { type, parameters } = parse(contentType)
  const charset = parameters['charset']?.toLowerCase()
  return type === 'application/json' && (!charset || charset === 'utf-8' || charset === 'utf8')
}
