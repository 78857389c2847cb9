import { parseTrustedJson, toJson } from '../core/http/json.ts'
import { fromBase64, toBytes } from '../core/http/reply.ts'
import type { CaseContent } from './generated/case.ts'

/** Writes a body of text: as JSON if Greenhouse would write that JSON with the same bytes. */
export function toTextContent(body: string | undefined): CaseContent {
  const json = readJson(body)
  if (json && toJson(json.value) === body) return { body: json.value }
  return body === undefined ? {} : { text: body }
}

/** Returns nothing for a text that is not JSON, and the value in an object, as it may be `null`. */
export function readJson(text: string | undefined): { readonly value: unknown } | undefined {
  try {
    if (text === undefined) return undefined
    return { value: parseTrustedJson(text) }
  } catch {
    return undefined
  }
}

/**
 * Returns the content of bytes that are not UTF-8; nothing for text. @param hide replaces the
 * secrets among them.
 */
export function toContentIfBinary(
  body: string | Uint8Array,
  hide = (text: string) => text,
): CaseContent | undefined {
  if (typeof body === 'string') return undefined
  try {
    new TextDecoder('utf-8', {
      fatal: true,
      ignoreBOM: true,
    }).decode(body)
    return undefined
  } catch {
    return { bytes: btoa(hide(Array.from(body, (byte) => String.fromCharCode(byte)).join(''))) }
  }
}

export function toBodyText({ body, text, bytes }: CaseContent): string | undefined {
  if (bytes !== undefined) return new TextDecoder().decode(fromBase64(bytes))
  return body === undefined ? text : toJson(body)
}

export function toBodyBytes({ bytes, ...rest }: CaseContent): Uint8Array | null {
  if (bytes !== undefined) return fromBase64(bytes)
  const text = toBodyText(rest)
  return text === undefined ? null : toBytes(text)
}
