import * as quick from './quick-zod.mjs'

/**
 * Replaces `zod/mini` in the client, which a page loads alone: what its calls take is checked
 * without the 16 kB of zod.
 */
class ClientSchema {
  constructor(read) {
    this.quick = read
  }

  safeParse(value) {
    const issues = []
    const data = this.quick(value, [], issues)
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } }
  }

  check(...given) {
    return new ClientSchema(quick.withChecks(this.quick, given))
  }
}

const ofKind =
  (read) =>
  (...values) =>
    new ClientSchema(read(...values))

export const array = /* @__PURE__ */ ofKind(quick.array)
export const boolean = /* @__PURE__ */ ofKind(quick.boolean)
export const custom = /* @__PURE__ */ ofKind(quick.custom)
export const int = /* @__PURE__ */ ofKind(quick.int)
export const literal = /* @__PURE__ */ ofKind(quick.literal)
export const looseObject = /* @__PURE__ */ ofKind(quick.looseObject)
export const number = /* @__PURE__ */ ofKind(quick.number)
export const optional = /* @__PURE__ */ ofKind(quick.optional)
export const strictObject = /* @__PURE__ */ ofKind(quick.strictObject)
export const string = /* @__PURE__ */ ofKind(quick.string)
export const union = /* @__PURE__ */ ofKind(quick.union)
export const unknown = /* @__PURE__ */ ofKind(quick.unknown)
const clientEnum = /* @__PURE__ */ ofKind(quick.enumeration)
export { clientEnum as enum }
export { gte, lte, minLength, refine } from './quick-zod.mjs'
