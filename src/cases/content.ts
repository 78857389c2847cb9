import { parseCustomJson, toJson } from '../core/http/json.ts'
import { toBytes } from '../core/http/reply.ts'
import type { CaseContent } from './types.ts'

/** Writes a body: as JSON if Greenhouse would write that JSON with the same bytes. */
export function toContent(body: string | undefined): CaseContent {
  if (body === undefined) return {}
  try {
    const value = parseCustomJson(body)
    if (toJson(value) === body) return { body: value }
  } catch {
    // The text is not JSON.
  }
  return { text: body }
}

/** Returns the content of bytes that are not UTF-8; nothing for text. @param hide replaces the secrets among them. */
export function toBytesIfNeeded(body: string | Uint8Array, hide = (text: string) => text): CaseContent | undefined {
  if (typeof body === 'string') return undefined
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return undefined
  } catch {
    return { bytes: btoa(hide(Array.from(body, (byte) => String.fromCharCode(byte)).join(''))) }
  }
}

export function toBodyText({ body, text, bytes }: CaseContent): string | undefined {
  if (bytes !== undefined) return new TextDecoder().decode(toBodyBytes({ bytes })!)
  return body === undefined ? text : toJson(body)
}

export function toBodyBytes({ bytes, ...rest }: CaseContent): Uint8Array | null {
  if (bytes !== undefined) return Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))
  const text = toBodyText(rest)
  return text === undefined ? null : toBytes(text)
}
