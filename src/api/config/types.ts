import type { Case } from '../../cases/generated/case.ts'
import type { Fixtures } from '../../fixtures/check.ts'
import type { GreenhouseOptions } from '../options.ts'
import type { WrittenScenarios } from '../../catalogue/inferred-names.ts'
import type { AssumptionChoices } from '../names.ts'

/**
 * What `greenhouse.config.ts` exports. All of it is optional. Relative paths start at the folder of
 * the file. Commands, and the fixtures of test runners, use it as their defaults.
 */
export interface GreenhouseConfig extends Omit<
  GreenhouseOptions,
  'fixtures' | 'scenarios' | 'assumptions' | 'case'
> {
  /** A folder with fixture files, or the records themselves by collection. */
  fixtures?: string | Fixtures | undefined
  /** A folder with scenario files, or the scenarios themselves by name. */
  scenarios?: string | WrittenScenarios | undefined
  /**
   * A file of assumptions, as `greenhouse-mock verify --write` writes it, or the assumptions
   * themselves by id.
   */
  assumptions?: string | AssumptionChoices | undefined
  /** The file of a case, or the case itself: where every world starts. */
  case?: string | Case | undefined
  /** The base URL of Area A, as clients use it: tests answer there by MSW, and start no server. */
  plants?: string | undefined
  /** The base URL of Area B, with its version, as clients use it. */
  apps?: string | undefined
  /** The port of `greenhouse-mock serve`. 4010 by default; 0 takes any free port. */
  port?: number | undefined
  /**
   * The address to listen on. 127.0.0.1 by default. An address that other machines can reach needs
   * a `token`.
   */
  host?: string | undefined
  /**
   * Host names that requests may use, in addition to `localhost`, IP addresses and `host`: the name
   * of a container, for example. A leading dot allows all subdomains: `.example.com`.
   */
  allowHosts?: readonly string[] | undefined
  /**
   * Origins whose pages may use the control API, exactly as browsers send them:
   * `http://localhost:5173`. None by default. There is no wildcard, because the control API
   * controls the replies of every client.
   */
  controlOrigins?: readonly string[] | undefined
  /**
   * The secret that requests to the control API must send: `Authorization: Bearer <token>`. None by
   * default; a `host` that other machines can reach needs one. In a shared file, use the variable
   * GREENHOUSE_TOKEN instead.
   */
  token?: string | undefined
  /**
   * Serves https. Both are needed: the path of a file in PEM, or its content, as a text with
   * `-----BEGIN` or as bytes. There is no certificate by default; mkcert makes one that this
   * machine trusts.
   */
  tls?:
    | {
        cert: string | Uint8Array
        key: string | Uint8Array
      }
    | undefined
  /**
   * A module with MSW handlers, or the handlers themselves. They answer before Greenhouse does, on
   * a server of a command.
   */
  handlers?: string | readonly unknown[] | undefined
  /** The file that keeps the world `default` of `greenhouse-mock serve`. */
  state?: string | undefined
  /**
   * True if commands that serve reload this file, and the files that it names, when they change.
   */
  watch?: boolean | undefined
  /** True if `greenhouse-mock serve` opens the panel in the browser. */
  open?: boolean | undefined
  /** The format in which `greenhouse-mock serve` prints requests. `pretty` by default. */
  log?: 'pretty' | 'json' | 'silent' | undefined
}
