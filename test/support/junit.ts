import { JSDOM } from 'jsdom'
import { expect } from 'vitest'

/**
 * What the schema of Jenkins (junit-10.xsd of its xUnit plug-in) lets an element have; an asterisk
 * marks what it must have.
 */
const allowed: Readonly<Record<string, { attributes: string; children: string }>> = {
  testsuites: { attributes: 'name time tests failures errors', children: 'testsuite' },
  testsuite: {
    attributes:
      'name* tests* failures* errors* group time skipped timestamp hostname id package file log url version',
    children: 'testsuite properties testcase system-out system-err',
  },
  testcase: {
    attributes: 'name* time classname group',
    children: 'skipped error failure system-out system-err',
  },
  failure: { attributes: 'type message', children: '' },
  skipped: { attributes: 'type message', children: '' },
  'system-out': { attributes: '', children: '' },
}

/** Its type of times. */
const time = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$/

/**
 * Reads a JUnit report as Jenkins and GitLab do.
 * @returns what failed: `owner: name: message`
 * @throws for what is no XML, what Jenkins refuses, what GitLab shows without a reason, and counts
 * that are not those of the cases
 */
export function readJunit(text: string): string[] {
  const { documentElement: root } = new JSDOM(text, { contentType: 'text/xml' }).window.document
  expect(root.tagName).toBe('testsuites')
  // One `expect` for all: a report has thousands of attributes.
  const wrong = [root, ...root.querySelectorAll('*')].flatMap((element) =>
    problemsOf(element).map((problem) => `${element.tagName}: ${problem}`),
  )
  expect(wrong).toEqual([])
  return Array.from(root.querySelectorAll('failure'), (failure) => {
    // GitLab shows the content, and no attribute.
    expect(failure.textContent).not.toBe('')
    const at = failure.parentElement!
    return `${at.getAttribute('classname')}: ${at.getAttribute('name')}: ${failure.getAttribute('message')}`
  })
}

const counts = { tests: 'testcase', failures: 'failure', skipped: 'skipped' }

function problemsOf(element: Element): string[] {
  const { attributes } = allowed[element.tagName]!
  const inside = allowed[element.parentElement?.tagName ?? '']
  const names = attributes.replaceAll('*', '').split(' ')
  const missing = [...attributes.matchAll(/(\S+)\*/g)].filter(
    ([, name]) => !element.hasAttribute(name!),
  )
  const miscounted = Object.entries(counts).filter(
    ([count, tag]) =>
      element.hasAttribute(count) &&
      Number(element.getAttribute(count)) !== element.querySelectorAll(tag).length,
  )
  return [
    ...element.getAttributeNames().filter((name) => !names.includes(name)),
    ...(inside && !inside.children.split(' ').includes(element.tagName)
      ? ['is in a wrong place']
      : []),
    ...missing.map(([, name]) => `${name} is missing`),
    ...(time.test(element.getAttribute('time') ?? '0') ? [] : ['time']),
    ...miscounted.map(([count]) => `${count} is not the count`),
  ]
}
