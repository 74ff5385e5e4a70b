import { Bookmark, CircleHelp, Download, List, type LucideIcon, MapPin, PanelLeft, Pencil, Plus, Trash2, X } from 'lucide-react'
import { loadable } from '../ui/loadable.tsx'

type Icons = Readonly<Record<string, LucideIcon>>
/** Icons of the frame and lists; the others load when idle, or when one of them is first shown. */
const FIRST: Icons = {
  bookmark: Bookmark,
  download: Download,
  help: CircleHelp,
  list: List,
  pencil: Pencil,
  plus: Plus,
  sidebar: PanelLeft,
  trash: Trash2,
  visits: MapPin,
  x: X,
}
let more: Icons | null = null
/** Loads the remaining icons. */
export const loadIcons = (): Promise<void> =>
  import('./moreIcons.ts').then(({ MORE }) => {
    more = MORE
  })
const Later = loadable(
  // A missing icon must not break a button.
  () =>
    loadIcons()
      .catch(() => {})
      .then(() => Known),
  <span aria-hidden="true" className="size-3.5" />,
)

interface Props {
  name: string | undefined
  size?: number
}

/** The icon of a command or record kind by name; renders nothing for unknown names. */
export function CommandIcon({ name, size = 14 }: Props) {
  if (!name) return null
  if (FIRST[name] || more) return <Known name={name} size={size} />
  return <Later name={name} size={size} />
}

function Known({ name = '', size = 14 }: Props) {
  const Icon = FIRST[name] ?? more?.[name]
  return Icon ? <Icon size={size} aria-hidden="true" /> : null
}
