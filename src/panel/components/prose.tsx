export function Prose({ text }: { readonly text: string }) {
  return (
    <div class="prose">
      {text.split(/\n\s*\n/).map((paragraph, place) => (
        <p key={place}>
          {paragraph.split('`').map((part, side) => (side % 2 === 1 ? <code key={side}>{part}</code> : part))}
        </p>
      ))}
    </div>
  )
}
