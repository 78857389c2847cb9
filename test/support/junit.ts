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
  for (const element of [root, ...root.querySelectorAll('*')]) {
    const { attributes, children } = allowed[element.tagName]!
    const names = attributes.replaceAll('*', '').split(' ')
    for (const name of element.getAttributeNames()) expect(names, element.tagName).toContain(name)
    for (const child of element.children)
      expect(children.split(' '), element.tagName).toContain(child.tagName)
    for (const [, name] of attributes.matchAll(/(\S+)\*/g))
      expect(element.hasAttribute(name!), name).toBe(true)
    expect(element.getAttribute('time') ?? '0').toMatch(time)
    for (const [count, tag] of Object.entries({
      tests: 'testcase',
      failures: 'failure',
      skipped: 'skipped',
    }))
      if (element.hasAttribute(count))
        expect(Number(element.getAttribute(count)), `${element.tagName} ${count}`).toBe(
          element.querySelectorAll(tag).length,
        )
  }
  return Array.from(root.querySelectorAll('failure'), (failure) => {
    // GitLab shows the content, and no attribute.
    expect(failure.textContent).not.toBe('')
    const at = failure.parentElement!
    return `${at.getAttribute('classname')}: ${at.getAttribute('name')}: ${failure.getAttribute('message')}`
  })
}
