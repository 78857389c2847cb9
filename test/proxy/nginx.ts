import { expect, onTestFinished } from 'vitest'
import { writeFolder } from '../support/folder.ts'
import { startProcess } from '../support/process.ts'

/**
 * Starts nginx until the end of the test, and returns its URL. @param server the directives of its
 * server
 */
export async function startNginx(
  port: number,
  server: string,
  files: Record<string, string> = {},
): Promise<string> {
  // Its own folders for what it buffers are those of root.
  const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${name};`)
    .join(' ')
  const settings =
    'access_log off; gzip on; gzip_proxied any; gzip_types application/json; types { application/json json; }'
  const http = `${buffers} ${settings} server { listen 127.0.0.1:${port}; ${server} }`
  const folder = writeFolder({
    'nginx.conf': `user root root; pid nginx.pid; error_log stderr warn; events {} http { ${http} }`,
    ...files,
  })
  const { child, ended } = startProcess(
    'nginx',
    ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'],
    {
      cwd: folder,
    },
  )
  // Killed at once, nginx would leave its workers behind.
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  const isAsked = () =>
    fetch(url).then(
      ({ ok }) => !ok,
      () => false,
    )
  await expect.poll(isAsked).toBe(true)
  return url
}
