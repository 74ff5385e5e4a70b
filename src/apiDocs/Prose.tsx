/** A sentence of the document, with text in backticks as code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 ? <code key={at}>{part}</code> : part))}</>
}
