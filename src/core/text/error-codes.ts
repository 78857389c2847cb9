/** The `code` of an error that Greenhouse throws in code. It stays when the message changes. */
export type GreenhouseErrorCode =
  | 'GREENHOUSE_INVALID_ARGUMENT'
  | 'GREENHOUSE_INVALID_VALUE'
  | 'GREENHOUSE_INVALID_TIME'
  | 'GREENHOUSE_INVALID_RECORD'
  | 'GREENHOUSE_INVALID_SCENARIO'
  | 'GREENHOUSE_INVALID_ASSUMPTION'
  | 'GREENHOUSE_INVALID_DEFINITION'
  | 'GREENHOUSE_INVALID_DATA'
  | 'GREENHOUSE_INVALID_FILE'
  | 'GREENHOUSE_UNKNOWN_NAME'
  | 'GREENHOUSE_UNKNOWN_SCENARIO'
  | 'GREENHOUSE_UNSUPPORTED_FAULT'
  | 'GREENHOUSE_UNSUPPORTED_HOST'
  | 'GREENHOUSE_MISSING_AREA'
  | 'GREENHOUSE_DUPLICATE_KEY'
  | 'GREENHOUSE_INVALID_JSON'
  | 'GREENHOUSE_LIMIT_REACHED'
  | 'GREENHOUSE_MEMORY_FULL'
  | 'GREENHOUSE_DROPPED_WORLD'
  | 'GREENHOUSE_CLOSED'
  | 'GREENHOUSE_EVICTED'
  | 'GREENHOUSE_FAILED_STEP'
  | 'GREENHOUSE_FAILED_FORWARDING'
  | 'GREENHOUSE_FAILED_LISTENING'
  | 'GREENHOUSE_ASTRAY'

/**
 * Every code of an error that is thrown at a user in code, and when it is thrown. Only the
 * documentation contains the sentences.
 */
export const errorCodes: Readonly<Record<GreenhouseErrorCode, string>> = {
  GREENHOUSE_INVALID_ARGUMENT:
    'An argument or an option is unknown, missing, or has the wrong type.',
  GREENHOUSE_INVALID_VALUE:
    'An argument or an option has the right type, but its value is not one of those that it takes.',
  GREENHOUSE_INVALID_TIME: 'A time or a duration cannot be read, or is out of range.',
  GREENHOUSE_INVALID_RECORD: 'A record does not fit its collection.',
  GREENHOUSE_INVALID_SCENARIO:
    'A scenario does not take these options, or an inline scenario has mistakes.',
  GREENHOUSE_INVALID_ASSUMPTION: 'There is no such assumption, or it does not have this value.',
  GREENHOUSE_INVALID_DEFINITION:
    'An operation, a collection, an event or an area of yours has a mistake.',
  GREENHOUSE_INVALID_DATA:
    'Fixtures, scenarios, a case or a configuration have mistakes: `problems` lists them.',
  GREENHOUSE_INVALID_FILE:
    'A file or a folder is missing, cannot be read, or has other content than is expected.',
  GREENHOUSE_UNKNOWN_NAME:
    'There is no operation, account, record, snapshot or event of this name.',
  GREENHOUSE_UNKNOWN_SCENARIO: 'There is no scenario of this name.',
  GREENHOUSE_UNSUPPORTED_FAULT:
    'A scenario needs what this adapter cannot do, such as cutting a connection.',
  GREENHOUSE_UNSUPPORTED_HOST:
    'Something else is missing or in the way: a version, a library, a document, real timers.',
  GREENHOUSE_MISSING_AREA: 'This Greenhouse was created without the area.',
  GREENHOUSE_DUPLICATE_KEY: 'A record with this key exists already.',
  GREENHOUSE_INVALID_JSON: 'A text is not JSON, or nests deeper or holds more than is read.',
  GREENHOUSE_LIMIT_REACHED: 'There are as many snapshots or scenarios as there may be.',
  GREENHOUSE_MEMORY_FULL:
    'The data and the journals of all worlds take as much memory as they may.',
  GREENHOUSE_DROPPED_WORLD: 'The world was dropped to make room for others.',
  GREENHOUSE_CLOSED: 'The Greenhouse was closed.',
  GREENHOUSE_EVICTED: 'The journal no longer has the requests that would answer the question.',
  GREENHOUSE_FAILED_STEP: 'A step of a case cannot be repeated.',
  GREENHOUSE_FAILED_FORWARDING: 'The proxy cannot forward to this service.',
  GREENHOUSE_FAILED_LISTENING: 'The server cannot listen: the port is taken, for example.',
  GREENHOUSE_ASTRAY: 'Requests of a test went to no mock.',
}

/** The classes of errors that are neither an `Error` nor have a class of their name. */
export const errorClasses: Readonly<
  Partial<Record<GreenhouseErrorCode, typeof TypeError | typeof RangeError>>
> = {
  GREENHOUSE_INVALID_ARGUMENT: TypeError,
  GREENHOUSE_INVALID_RECORD: TypeError,
  GREENHOUSE_INVALID_DEFINITION: TypeError,
  GREENHOUSE_INVALID_VALUE: RangeError,
  GREENHOUSE_INVALID_TIME: RangeError,
  GREENHOUSE_INVALID_SCENARIO: RangeError,
  GREENHOUSE_INVALID_ASSUMPTION: RangeError,
  GREENHOUSE_UNKNOWN_NAME: RangeError,
  GREENHOUSE_LIMIT_REACHED: RangeError,
}

/**
 * Returns an error with a code, of the class that goes with it. Its stack begins where this is
 * called.
 */
export function codedError(
  code: GreenhouseErrorCode,
  message: string,
  options?: ErrorOptions,
): Error {
  const error = new (errorClasses[code] ?? Error)(message, options)
  Error.captureStackTrace?.(error, codedError)
  return Object.assign(error, { code })
}
