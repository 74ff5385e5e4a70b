import { ReceiverList } from './ReceiverList.tsx'

/** Everybody who was rewarded, in all projects (screens-people-places-rewards.md, Reward receivers). */
export default function ReceiversPane() {
  return <ReceiverList project={null} />
}
