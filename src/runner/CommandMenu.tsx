import type { ReactNode } from 'react'
import { subjectsWord } from '../commands/availability.ts'
import { areasOn, loadAreas } from '../commands/commandAreas.ts'
import type { Subject } from '../commands/subject.ts'
import { areasFor, type CommandId } from '../commands/table.ts'
import { IconButton } from '../ui/Button.tsx'
import { DOTS, Menu, RowMenu } from '../ui/Menu.tsx'
import type { MenuItem } from '../ui/menuItem.ts'
import { CommandIcon } from './icons.tsx'
import { start } from './lazyRunner.ts'
import { commandsFor, type ShownCommand, shownCommand, useKeys } from './useCommands.ts'

/**
 * Returns menu items for these subjects; without any, for the workspace’s own commands in `ids`.
 * Irreversible ones come after a separator, disabled ones last.
 */
export function commandItems(
  subjects: readonly Subject[],
  keys: (id: CommandId) => string | null,
  ids?: readonly CommandId[],
): (MenuItem | null)[] {
  const all =
    ids && !subjects.length
      ? ids.map((id) => shownCommand(id, [], keys(id)))
      : commandsFor(subjects, keys).filter((shown) => !ids || ids.includes(shown.id))
  const line = ({ id, command, title, keys: shown, reason }: ShownCommand): MenuItem => ({
    id,
    label: title,
    icon: <CommandIcon name={command.icon} />,
    kbd: shown ?? undefined,
    reason,
    danger: command.danger,
    onSelect: () => start(id, { subjects, via: 'menu' }),
  })
  // Disabled commands come last, out of the way.
  const [able, greyed] = [all.filter(({ reason }) => !reason), all.filter(({ reason }) => reason)]
  const groups = [able.filter(({ command }) => !command.danger), able.filter(({ command }) => command.danger), greyed]
  return groups.filter((group) => group.length).flatMap((group, at) => [...(at ? [null] : []), ...group.map(line)])
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
  const button = trigger ?? <IconButton label={name}>{DOTS}</IconButton>
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

/** The context menu of records or a tab at a screen position, opened by right click or menu key. */
export function ContextMenu({
  at,
  subjects,
  ids,
  label,
  onClose,
  onLeft,
}: {
  at: { x: number; y: number }
  subjects: readonly Subject[]
  ids?: readonly CommandId[]
  label?: string
  onClose(): void
  /** Sets the focus on closing, because no button opened the menu. */
  onLeft(): void
}) {
  const keys = useKeys()
  return (
    <Menu
      key={`${at.x} ${at.y}`}
      open
      keyed
      align="start"
      label={label ?? `All actions for ${subjectsWord(subjects)}`}
      trigger={<span aria-hidden="true" className="fixed size-0" style={{ left: at.x, top: at.y }} />}
      items={() => commandItems(subjects, keys, ids)}
      prepare={() => loadAreas(areasFor(subjects))}
      onOpenChange={(open) => !open && onClose()}
      onLeft={onLeft}
    />
  )
}

/** The menu at the end of a list row, for kinds with commands; a plain button until it opens. */
export function CommandRowMenu({ subject, ids }: { subject: Subject; ids?: readonly CommandId[] }) {
  const keys = useKeys()
  // An empty menu gets no button.
  if (!areasOn(subject.kind).length) return null
  return (
    <RowMenu
      label={`All actions for ${subject.name}`}
      items={() => commandItems([subject], keys, ids)}
      prepare={() => loadAreas(areasFor([subject]))}
    />
  )
}
