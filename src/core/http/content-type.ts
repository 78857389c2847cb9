import { parse } from 'content-type'

export function isJsonInUtf8(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const { type, parameters } = parse(contentType)
  const charset = parameters['charset']?.toLowerCase()
  return type === 'application/json' && (!charset || charset === 'utf-8' || charset === 'utf8')
}
