import { defineCommand } from '../command.ts'
import { proxyFlags, serveCommandFlags, variablesEpilogue } from '../flags/flags.ts'
import { UsageError } from '../terminal.ts'
import { serveUntilStopped } from './serve.ts'

export const proxyCommand = defineCommand({
  command: 'proxy',
  describe: 'Stand in front of a real service: the same scenarios and journal, its replies',
  flags: { ...proxyFlags, ...serveCommandFlags },
  examples: [
    ['proxy --target-plants https://plants.example.com --scenario slow', 'Make a real service slow'],
    ["proxy --target-apps https://api.example.com/v1 --only 'apps.*' --fallback mock", 'Mock what is not there yet'],
    ['proxy --target-plants https://plants.example.com --record ./learnt', 'Learn fixtures and assumptions'],
  ],
  epilogue: variablesEpilogue,
  async run(args, terminal) {
    const { targetPlants: plants, targetApps: apps, only, fallback, record, targetCa: ca, insecure } = args
    if (plants === undefined && apps === undefined)
      throw new UsageError('Name the service with --target-plants URL, --target-apps URL, or both.')
    const proxy = { plants, apps, fallback, record, ca, insecure, timeout: args.targetTimeout }
    await serveUntilStopped({ ...args, proxy: { ...proxy, ...(only.length > 0 && { only }) } }, terminal)
  },
})
