// Builds the recipe, starts the result and requests its page.
import { spawn, spawnSync } from 'node:child_process'

const [, , next] = process.argv
const bases = { PLANTS_BASE_URL: 'https://plants.example.com', PLANTS_KEY: 'key_pro' }
const env = { ...process.env, ...bases, MOCK: '1', NEXT_TELEMETRY_DISABLED: '1' }

const built = spawnSync(process.execPath, [next, 'build'], { env, stdio: 'inherit' })
if (built.status !== 0) process.exit(1)

const started = spawn(process.execPath, [next, 'start', '--port', '0'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let printed = ''
for await (const chunk of started.stdout) {
  process.stdout.write(chunk)
  printed += chunk
  const [url] = /http:\/\/localhost:[1-9]\d*/.exec(printed) ?? []
  if (url === undefined || !printed.includes('Ready')) continue
  const page = await (await fetch(`${url}/plants`)).text()
  const plants = page.match(/<li>/g)?.length
  console.log(`The page lists ${plants} plants.`)
  process.exitCode = plants === 14 ? 0 : 1
  break
}
started.kill()
