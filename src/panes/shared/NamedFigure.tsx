import { count } from '../../../contract/format.ts'

/** A figure with its noun, shown where rows take two lines. */
export const NamedFigure = ({ value, one, many }: { value: number; one: string; many: string }) => (
  <span className={value ? '' : 'text-faint'}>
    {count(value)}
    <span className="hidden in-data-narrow:inline"> {value === 1 ? one : many}</span>
  </span>
)
