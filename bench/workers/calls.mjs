/** Answers the parent's calls with `functions`; ends with the parent. */
export function answerCalls(functions) {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ name, input }) => {
    try {
      process.send({ result: await functions[name](input) })
    } catch (error) {
      process.send({ error: error.stack })
    }
  })
}
