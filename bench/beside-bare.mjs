import { startBareAs } from './greenhouse.mjs'
import { measureServers } from './rounds.mjs'

/**
 * Measures a server of ours beside the bare one that sends the very bytes of its reply, and
 * `others` with the same reply.
 * @param name of the bare server's file
 */
export async function besideBare(context, name, start, ...others) {
  let subject
  const ours = async () => (subject = await start())
  const measured = await measureServers(context, [
    ours,
    () => startBareAs(context, name, subject),
    ...others,
  ])
  return { ...measured, reply: () => subject.reply }
}
