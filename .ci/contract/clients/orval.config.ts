const output = (area: string) => ({
  target: `src/${area}.ts`,
  client: 'fetch',
  baseUrl: { getBaseUrlFromSpecification: true },
  override: { mutator: { path: 'src/send.ts', name: 'send' } },
})

export default {
  plants: { input: { target: 'plants.json' }, output: output('plants') },
  apps: { input: { target: 'apps.json' }, output: output('apps') },
}
