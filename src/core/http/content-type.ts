import { parse } from 'content-type'

/** Whether a Content-Type is JSON in UTF-8: `application/json`, with no other charset. Other parameters are ignored. */
export function isJsonInUtf8(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const { type, parameters } = parse(contentType)
  const charset = parameters['charset']?.toLowerCase()
  return type === 'application/json' && (!charset || charset === 'utf-8' || charset === 'utf8')
}
