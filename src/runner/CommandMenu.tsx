import { MoreHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { areasOn, loadAreas } from '../commands/areas.ts'
import { subjectsWord } from '../commands/availability.ts'
import type { Subject } from '../commands/subject.ts'
import { areasFor, type CommandId } from '../commands/table.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu, RowMenu } from '../ui/Menu.tsx'
import type { MenuItem } from '../ui/menuItem.ts'
import { CommandIcon } from './icons.tsx'
import { start } from './start.ts'
import { commandsFor, type ShownCommand, useKeys } from './useCommands.ts'

/** Menu items for these subjects from the commands table; irreversible ones come after a separator. */
export function commandItems(
  subjects: readonly Subject[],
  keys: (id: CommandId) => string | null,
  ids?: readonly CommandId[],
): (MenuItem | null)[] {
  const all = commandsFor(subjects, keys).filter((shown) => !ids || ids.includes(shown.id))
  const line = ({ id, command, title, keys: shown, reason }: ShownCommand): MenuItem => ({
    id,
    label: title,
    icon: <CommandIcon name={command.icon} />,
    kbd: shown ?? undefined,
    reason,
    danger: command.danger,
    onSelect: () => start(id, { subjects, via: 'menu' }),
  })
  const safe = all.filter(({ command }) => !command.danger).map(line)
  const grave = all.filter(({ command }) => command.danger).map(line)
  return safe.length && grave.length ? [...safe, null, ...grave] : [...safe, ...grave]
}

/** A menu of every command for these subjects; `ids` narrows it, `trigger` replaces its button. */
export function CommandMenu({
  subjects,
  ids,
  label,
  trigger,
  open,
  onOpenChange,
}: {
  subjects: readonly Subject[]
  ids?: readonly CommandId[]
  label?: string
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  const keys = useKeys()
  const name = label ?? `All actions for ${subjectsWord(subjects)}`
  const button = trigger ?? (
    <IconButton label={name}>
      <MoreHorizontal size={14} aria-hidden="true" />
    </IconButton>
  )
  return (
    <Menu
      trigger={button}
      items={() => commandItems(subjects, keys, ids)}
      prepare={() => loadAreas(areasFor(subjects))}
      label={name}
      open={open}
      onOpenChange={onOpenChange}
    />
  )
}

/** The menu at the end of a list row, for kinds with commands: a plain button until it opens. */
export function CommandRowMenu({ subject, ids }: { subject: Subject; ids?: readonly CommandId[] }) {
  const keys = useKeys()
  // No button for an empty menu.
  if (!areasOn(subject.kind).length) return null
  return (
    <RowMenu
      label={`All actions for ${subject.name}`}
      items={() => commandItems([subject], keys, ids)}
      prepare={() => loadAreas(areasFor([subject]))}
    />
  )
}
