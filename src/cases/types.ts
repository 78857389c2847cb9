/** A body: at most one of these. */
export interface CaseContent {
  /** JSON. */
  body?: unknown
  /** Text that is not JSON as Greenhouse writes it. */
  text?: string | undefined
  /** Bytes that are not text, in base64. */
  bytes?: string | undefined
}

/** A reply. */
export interface CaseReply extends CaseContent {
  /** 0: the connection ended without a reply. */
  status: number
  headers?: Record<string, string | string[]> | undefined
}

/** A scenario: text, such as `slow:ms=800`, an object with its name and options, or an inline scenario. */
type CaseScenario = string | Record<string, unknown>

/** One thing that happened: a request, or a change of the world. */
export interface CaseStep extends CaseContent {
  /** The world's time: ISO 8601. The clock is set to it first. */
  at?: string | undefined
  /** Method and target: `GET /v1/apps?limit=2`. */
  request?: string | undefined
  /** Headers of the request. A fingerprint, `fp_…`, stands for a secret. */
  headers?: Record<string, string | string[]> | undefined
  /** The reply to compare with. */
  reply?: CaseReply | undefined
  /** For readers: the operation. */
  operation?: string | undefined
  /** For readers: why the reply is an error, or how a scenario changed it. */
  reason?: string | undefined
  /** For readers: how the request breaks the contract. */
  mistakes?: string[] | undefined
  use?: CaseScenario[] | undefined
  /** The position of the scenarios in `use` among the active ones; the end by default. */
  place?: number | undefined
  use_only?: CaseScenario[] | undefined
  /** The scenario to switch off; `true` for all. */
  clear?: string | true | undefined
  assume?: Record<string, string> | undefined
  clock?: { now: string; frozen?: boolean | undefined } | undefined
  /** Creates or replaces a record, in the form of fixtures. */
  put?: { collection: string; record: Record<string, unknown>; place?: number | undefined } | undefined
  remove?: { collection: string; key: string | number | bigint } | undefined
  /** Replaces all records of a collection. */
  replace?: { collection: string; records: Record<string, unknown>[] } | undefined
  plan?: { account: string; plan: string } | undefined
  refill?: { account: string; window?: 'minute' | 'day' | undefined } | undefined
  create_key?:
    | {
        account: string
        scopes?: string[] | undefined
        expires_at?: string | undefined
        revoked?: boolean | undefined
      }
    | undefined
  trigger?:
    | {
        type: string
        data?: Record<string, unknown> | undefined
        account?: string | undefined
        app?: string | undefined
      }
    | undefined
  /** The delivery to send again. */
  redeliver?: string | undefined
  snapshot?: string | undefined
  restore?: string | undefined
  /** The answer of a webhook's receiver. */
  answer?:
    | {
        delivery: string
        status: number | null
        error: string | null
        response: string | null
        /** In milliseconds. */
        latency: number
      }
    | undefined
}

/** The starting records of a collection that differ from the fixtures, in the form of fixtures. */
export interface CaseRecords {
  /** All records, instead of those of the fixtures. */
  replace?: Record<string, unknown>[] | undefined
  /** Records to add, or to put in the place of those with the same key. */
  put?: Record<string, unknown>[] | undefined
  /** Keys of records to leave out. */
  remove?: (string | number | bigint)[] | undefined
}

/** Where a world starts. What is absent is as `createGreenhouse` has it. */
export interface CaseStart {
  seed?: number | undefined
  /** How often a server or a page continued from this state. Each time, new ids and secrets are different. */
  restarts?: number | undefined
  now?: string | undefined
  frozen?: boolean | undefined
  /** The fixtures that `records` differ from. */
  fixtures?: 'default' | undefined
  /** The time that times of fixtures are relative to, if it is not `now`. */
  fixtures_at?: string | undefined
  records?: Record<string, CaseRecords> | undefined
  assumptions?: Record<string, string> | undefined
  scenarios?: CaseScenario[] | undefined
  /** Scenarios of your own, by name, in the form of scenario files. */
  own_scenarios?: Record<string, Record<string, unknown>> | undefined
  settings?: { trace?: boolean | undefined; strict?: boolean | undefined; cors?: string[] | undefined } | undefined
}

/** For readers: the used part of a quota. */
interface CaseQuota {
  used: number
  remaining: number
  resets_at: string
}

/**
 * A situation in one file: where a world starts, what was asked and done, and what it replied. `greenhouse-mock case replay`
 * plays it again.
 */
export interface Case {
  /** The version of the format. */
  case: 1
  /** What it shows, in one line. */
  title?: string | undefined
  /** The name of the world; `default` if absent. */
  world?: string | undefined
  made?: { by: string; at: string } | undefined
  /** Why it can't be replayed. */
  incomplete?: string | undefined
  /** Whether replies are complete. Otherwise only the parts that they have are compared, and bodies by their values. */
  exact?: boolean | undefined
  start?: CaseStart | undefined
  steps?: CaseStep[] | undefined
  /** For readers: the quotas that are used, and what is due next. */
  end?:
    | {
        at: string
        quotas?: Record<string, { minute?: CaseQuota | undefined; day?: CaseQuota | undefined }> | undefined
        due?: { at: string; title: string }[] | undefined
      }
    | undefined
}
