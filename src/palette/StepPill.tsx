/** A given answer; pressing it edits the answer. */
export function Pill({
  name,
  takesOff,
  onEdit,
  children,
}: {
  name?: string
  /** Pressing it removes it, if it is one of several chosen. */
  takesOff?: true
  onEdit?: () => void
  children: string
}) {
  const look = 'h-6 max-w-64 shrink-0 truncate rounded-md border border-edge px-2 text-meta leading-[22px] text-ink'
  if (!onEdit)
    return (
      <span dir="auto" className={look}>
        {children}
      </span>
    )
  return (
    <button
      type="button"
      tabIndex={takesOff ? 0 : -1}
      title={takesOff ? `Remove ${name}` : `Edit: ${name}`}
      aria-label={takesOff ? `${name}, remove` : `${name}: ${children}, edit`}
      data-pill={name}
      onClick={onEdit}
      className={`${look} hover:border-control`}
    >
      <bdi>{children}</bdi>
      {takesOff && <span aria-hidden="true"> ×</span>}
    </button>
  )
}
