import { atCaller, checkOptions, flag, type OptionRule, type RulesFor, text } from '../../core/contract/options.ts'
import type { Fixtures } from '../../fixtures/check.ts'
import { greenhouseRules } from '../assembly/options.ts'
import { serverRules } from '../assembly/server-rules.ts'
import type { Case } from '../../cases/types.ts'
import type { GreenhouseOptions } from '../greenhouse.ts'
import type { AssumptionChoices } from '../types/names.ts'

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
  return atCaller(defineConfig, () => {
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

/**
 * What `greenhouse.config.ts` exports. All of it is optional. Relative paths start at the folder of the file. Commands, and
 * the fixtures of test runners, use it as their defaults.
 */
export interface GreenhouseConfig extends Omit<GreenhouseOptions, 'fixtures' | 'scenarios' | 'assumptions' | 'case'> {
  /** A folder with fixture files, or the records themselves by collection. */
  fixtures?: string | Fixtures | undefined
  /** A folder with scenario files, or the scenarios themselves by name. */
  scenarios?: string | Readonly<Record<string, unknown>> | undefined
  /** A file of assumptions, as `greenhouse-mock verify --write` writes it, or the assumptions themselves by id. */
  assumptions?: string | AssumptionChoices | undefined
  /** The file of a case, or the case itself: where every world starts. */
  case?: string | Case | undefined
  /** The base URL of Area A, as clients use it: tests answer there by MSW, and start no server. */
  plants?: string | undefined
  /** The base URL of Area B, with its version, as clients use it. */
  apps?: string | undefined
  /** The port of `greenhouse-mock serve`. 4010 by default; 0 takes any free port. */
  port?: number | undefined
  /** The address to listen on. 127.0.0.1 by default. An address that other machines can reach needs a `token`. */
  host?: string | undefined
  /** Host names that requests may use, in addition to `localhost`, IP addresses and `host`. */
  allowHosts?: readonly string[] | undefined
  /** Origins whose pages may use the control API, exactly as browsers send them. */
  controlOrigins?: readonly string[] | undefined
  /** The secret of the control API. Better in the variable GREENHOUSE_TOKEN, because this file is shared. */
  token?: string | undefined
  /** A module with MSW handlers, or the handlers themselves. They answer before Greenhouse does, on a server of a command. */
  handlers?: string | readonly unknown[] | undefined
  /** The file that keeps the world `default` of `greenhouse-mock serve`. */
  state?: string | undefined
  /** Whether commands that serve reload this file, and the files that it names, when they change. */
  watch?: boolean | undefined
  /** Whether `greenhouse-mock serve` opens the panel in the browser. */
  open?: boolean | undefined
  /** What `greenhouse-mock serve` prints. `pretty` by default. */
  log?: 'pretty' | 'json' | 'silent' | undefined
}
