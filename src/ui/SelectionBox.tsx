/** Draws a checkbox: empty, checked, or with a bar for "some". */
export function SelectionBox({ state }: { state: boolean | 'some' }) {
  return (
    <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true" className="shrink-0" data-forced="">
      <rect
        x=".75"
        y=".75"
        width="12.5"
        height="12.5"
        rx="3.25"
        strokeWidth="1.5"
        className={state ? 'fill-accent stroke-accent' : 'fill-surface stroke-control'}
      />
      {state === true && (
        <path
          d="m3.6 7.2 2.4 2.4 4.6-5"
          fill="none"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-accent"
        />
      )}
      {state === 'some' && <path d="M4 7h6" strokeWidth="1.8" strokeLinecap="round" className="stroke-on-accent" />}
    </svg>
  )
}
