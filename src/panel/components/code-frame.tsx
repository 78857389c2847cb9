import { CopyButton } from './copy.tsx'

/** Code, and a button that copies it. @param what names the code in the button's label: `the code for curl` */
export function CodeFrame({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code-frame">
      <pre class="code">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
