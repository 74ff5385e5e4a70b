import { cx } from './cx.ts'

/** A URL as a link, opened without `opener`; plain text if it isn't a web page. */
export function WebLink({ url, className }: { url: string; className?: string }) {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return <span className={className}>{url}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className={cx('text-accent-ink underline', className)}>
      {url}
    </a>
  )
}
