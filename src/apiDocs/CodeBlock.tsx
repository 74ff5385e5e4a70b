import { cx } from '../ui/cx.ts'

/** A command or a text as it is, in a box that scrolls, also by keys. */
export function CodeBlock({ label, text, className }: { label: string; text: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus it can't be scrolled by keys
    <section aria-label={label} tabIndex={0} className={cx('min-w-0 overflow-auto', className)}>
      <pre className="whitespace-pre">{text}</pre>
    </section>
  )
}
