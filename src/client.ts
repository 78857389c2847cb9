export { connect } from './control/client/connect.ts'
export type { ConnectOptions } from './control/client/connect.ts'
export {
  CallError,
  ClientError,
  ForeignServerError,
  ServerUnreachableError,
  TokenError,
} from './control/client/errors.ts'
export type { FieldError } from './control/errors.ts'
export type {
  FollowOptions,
  IsolatedWorld,
  Remote,
  RemoteGreenhouse,
  RemoteJournal,
  RemoteWorld,
} from './control/client/remote.ts'
