const output = (area: string) => ({
  target: `src/api/${area}.ts`,
  client: 'fetch',
  baseUrl: { getBaseUrlFromSpecification: true },
  override: { mutator: { path: 'src/api/send.ts', name: 'send' } },
})

export default {
  plants: { input: { target: 'plants.json' }, output: output('plants') },
  apps: { input: { target: 'apps.json' }, output: output('apps') },
}
