// Stands in for `_shims` of the MCP SDK, which brings ajv, 300 kB: Greenhouse checks arguments
// itself, and asks the user for nothing.
export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('Greenhouse has no validator of JSON Schema.')
  }
}
