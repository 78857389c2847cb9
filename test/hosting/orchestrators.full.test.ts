import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { load, loadAll } from 'js-yaml'
import { root } from '../package/packed.ts'
import { startServe } from '../support/cli.ts'
import { lacks } from '../support/lacks.ts'
import { ask } from '../support/socket.ts'
import { serveVariables } from './environment.ts'
import { startProcess } from '../support/process.ts'

const documents = loadAll(readFileSync(join(root, 'examples/kubernetes/greenhouse.yaml'), 'utf8'))
const [deployment, service] = documents as any[]
const { spec: pod } = deployment.spec.template
const [container] = pod.containers
const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
  (name) => container[name].httpGet,
)

test('the objects are sound and agree with each other', () => {
  expect([deployment.kind, service.kind]).toEqual(['Deployment', 'Service'])
  const { labels } = deployment.spec.template.metadata
  expect(labels).toMatchObject(deployment.spec.selector.matchLabels)
  expect(labels).toMatchObject(service.spec.selector)
  expect(container.ports).toContainEqual({
    name: service.spec.ports[0].targetPort,
    containerPort: 4010,
  })
  for (const probe of probes) expect(probe.port).toBe(service.spec.ports[0].targetPort)
  for (const { name } of container.env) expect([...serveVariables, 'NAMESPACE']).toContain(name)
})

test('a world is in one process, which may not run as root or write to its image', () => {
  expect([deployment.spec.replicas, deployment.spec.strategy.type]).toEqual([1, 'Recreate'])
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  expect(container.securityContext).toMatchObject({
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
  })
  // Kubernetes would set GREENHOUSE_PORT=tcp://….
  expect(pod.enableServiceLinks).toBe(false)
})

test('the probes are answered without the token, and other pods reach the service by its names', async () => {
  // In the namespace "team". Kubernetes inserts only variables that are defined earlier.
  const variables = new Map<string, string>()
  for (const { name, value, valueFrom } of container.env) {
    const given =
      valueFrom?.fieldRef?.fieldPath === 'metadata.namespace' ? 'team' : (value ?? 's3cret')
    variables.set(
      name,
      given.replace(
        /\$\((\w+)\)/g,
        (whole: string, other: string) => variables.get(other) ?? whole,
      ),
    )
  }
  const { ready, stop } = await startServe([], {
    env: {
      ...process.env,
      ...Object.fromEntries(variables),
      GREENHOUSE_HOST: '0.0.0.0',
      [`${service.metadata.name.toUpperCase()}_SERVICE_HOST`]: '10.96.0.7',
      [`${service.metadata.name.toUpperCase()}_PORT`]: 'tcp://10.96.0.7:4010',
    },
  })
  const port = Number(new URL(ready.plants_url).port)
  const get = async (host: string, path: string, headers: readonly string[] = []) =>
    (await ask(port, `GET ${path}`, [`Host: ${host}`, ...headers])).status
  // The kubelet names the address of the pod.
  for (const { path } of probes)
    expect(await get(`127.0.0.1:${port}`, path, ['User-Agent: kube-probe/1.34'])).toBe(200)
  const { name } = service.metadata
  const key = 'Authorization: Bearer key_pro'
  for (const host of [name, `${name}.team`, `${name}.team.svc`, `${name}.team.svc.cluster.local`])
    expect(await get(`${host}:4010`, '/plants', [key]), host).toBe(200)
  expect(await get('greenhouse.attacker.example', '/plants', [key])).toBe(403)
  expect(await stop()).toMatchObject({ code: 0, stderr: '' })
})

const folder = join(root, 'examples/compose')
const { services } = load(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as any
const { greenhouse, tests } = services
const containerfile = readFileSync(
  join(folder, greenhouse.build.context, greenhouse.build.dockerfile),
  'utf8',
)

const fill = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replace(/\$\{GREENHOUSE_TOKEN:\?[^}]+\}/, 's3cret'),
    ]),
  )

test('the compose file says what the image and the command have', () => {
  for (const name of Object.keys(greenhouse.environment)) expect(serveVariables).toContain(name)
  expect(greenhouse.ports).toEqual([`127.0.0.1:4010:${/^EXPOSE (\d+)$/m.exec(containerfile)![1]}`])
  expect(containerfile).toMatch(/^HEALTHCHECK /m)
  expect(tests.depends_on).toEqual({ greenhouse: { condition: 'service_healthy' } })
  expect(fill(tests.environment)['GREENHOUSE_TOKEN']).toBe(
    fill(greenhouse.environment)['GREENHOUSE_TOKEN'],
  )
  for (const volume of [...greenhouse.volumes, ...tests.volumes])
    expect(existsSync(join(folder, volume.split(':')[0])), volume).toBe(true)
})

test.skipIf(lacks.sh)('its services do what they are for, as processes', async () => {
  const data = greenhouse.volumes[0].split(':')
  const variables = fill(greenhouse.environment)
  const GREENHOUSE_FIXTURES = variables['GREENHOUSE_FIXTURES']!.replace(
    '/data/fixtures',
    join(folder, data[0]),
  )
  const { ready, stop } = await startServe([], {
    env: { ...process.env, ...variables, GREENHOUSE_HOST: '0.0.0.0', GREENHOUSE_FIXTURES },
  })
  const { port } = new URL(ready.plants_url)
  const own = Object.entries(fill(tests.environment)).map(([name, text]) => [
    name,
    text.replace(':4010', `:${port}`),
  ])
  const [program, script] = tests.command.split(' ')
  expect(program).toBe('node')
  const words = [
    '--import',
    join(root, 'test/hosting/names.mjs'),
    join(folder, script.replace('/tests/', '')),
  ]
  const env = { ...process.env, ...Object.fromEntries(own) }
  const stdout = '{"plants":[{"name":"Ficus","tag":"tree"}],"apps":0,"version":"string"}\n'
  expect(await startProcess(process.execPath, words, { env }).ended).toMatchObject({
    code: 0,
    stdout,
    stderr: '',
  })
  expect((await stop()).code).toBe(0)
})
