import type { ReactNode } from 'react'

/** A settings section: title and description on the left, controls on the right; stacked when narrow. */
export function SettingsSection({
  title,
  about,
  action,
  children,
}: {
  title: string
  about?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-8 gap-y-3 border-b border-line px-4 py-6 last:border-b-0 @3xl:grid-cols-[208px_minmax(0,640px)]"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        {about && <p className="mt-0.5 text-meta text-muted">{about}</p>}
        {action && <div className="mt-2">{action}</div>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
