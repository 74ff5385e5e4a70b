import type { ReactNode } from 'react'

/** An answer that was given; pressed, it can be edited. */
export function Pill({ name, onEdit, children }: { name?: string; onEdit?: () => void; children: ReactNode }) {
  const look = 'h-6 max-w-64 shrink-0 truncate rounded-md border border-edge px-2 text-meta leading-[22px] text-ink'
  if (!onEdit) return <span className={look}>{children}</span>
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Edit: ${name}`}
      aria-label={`${name}, edit`}
      data-pill={name}
      onClick={onEdit}
      className={`${look} hover:border-control`}
    >
      {children}
    </button>
  )
}
