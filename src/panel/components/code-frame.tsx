import { CopyButton } from './copy.tsx'

export function CodeFrame({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="code-frame">
      <pre class="code">{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
