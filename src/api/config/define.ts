import {
  checkOptions,
  flag,
  list,
  type OptionRule,
  type RulesFor,
  text,
  wholeNumber,
  withCallerStack,
} from '../../core/contract/options.ts'
import { isOrigin } from '../../core/http/urls.ts'
import { greenhouseRules } from '../assembly/options.ts'
import type { GreenhouseConfig } from './types.ts'

export const serverRules = {
  port: wholeNumber('a whole number from 0 to 65535', 0, 65_535),
  host: text('an address or a host name of this machine, such as "127.0.0.1"'),
  allowHosts: list("a list of host names, such as ['api', '.example.com']", (name) => typeof name === 'string'),
  controlOrigins: list(
    "a list of exact origins, such as ['http://localhost:5173'], without paths and without '*'",
    (origin) => typeof origin === 'string' && isOrigin(origin),
  ),
  token: { ...text('a text of visible ASCII characters', (token) => /^[\x21-\x7e]+$/.test(token)), isSecret: true },
}

const baseUrl = text('an absolute URL, such as "https://api.example.com/v1"', (url) => URL.canParse(url))

/** The rules of a configuration. */
export const configRules: RulesFor<GreenhouseConfig> = {
  ...greenhouseRules,
  ...serverRules,
  fixtures: pathOr(greenhouseRules.fixtures, 'a folder, such as "./fixtures", or an object of records by collection'),
  scenarios: pathOr(greenhouseRules.scenarios, 'a folder, such as "./scenarios", or an object of scenarios by name'),
  assumptions: pathOr(
    greenhouseRules.assumptions,
    'an object of assumptions by id, such as { "plants.delete.unknown": "204" }, or a file, such as "./assumptions.yaml"',
  ),
  case: pathOr(greenhouseRules.case, 'a file, such as "./renewal.case.yaml", or a case'),
  plants: baseUrl,
  apps: baseUrl,
  handlers: {
    takes: 'a module, such as "./handlers.mjs", or a list of MSW handlers',
    accepts: (value) => isPath(value) || Array.isArray(value),
  },
  state: text('a file, such as "./state.yaml"'),
  watch: flag,
  open: flag,
  log: text('"pretty", "json" or "silent"', (value) => /^(pretty|json|silent)$/.test(value)),
}

/**
 * Types a configuration, and checks it.
 * @example export default defineConfig({ port: 4100, fixtures: './fixtures', use: ['slow'] })
 * @throws TypeError for an unknown setting or a value of the wrong type; RangeError for a value out of range.
 */
export function defineConfig(config: GreenhouseConfig): GreenhouseConfig {
  return withCallerStack(defineConfig, () => {
    checkOptions('defineConfig', config, configRules)
    return config
  })
}

function pathOr({ accepts }: OptionRule, takes: string): OptionRule {
  return { takes, accepts: (value) => isPath(value) || accepts(value) }
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
