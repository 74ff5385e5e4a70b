import { cx } from './cx.ts'

/** An address that somebody typed: a link where it leads to a web page, else the text that it is. It opens in a window that knows nothing of this one. */
export function WebLink({ url, className }: { url: string; className?: string }) {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return <span className={className}>{url}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={cx('text-accent-ink underline', className)}>
      {url}
    </a>
  )
}
