export type { ApprovalMode, ApprovalRules, Requirement } from './approval.ts';
export type {
  Answer,
  Answerer,
  ApprovalAsk,
  Ask,
  AskCard,
  QuestionAsk,
  QuestionCard,
  StoredAsk,
  WithdrawReason,
} from './ask.ts';
export { BaigongError, type BaigongErrorCode } from './baigong-error.ts';
export type { Call, CallId } from './call.ts';
export { type CanonicalJson, canonicalJson } from './canonical-json.ts';
export type {
  AdmissionRule,
  ApprovalLevel,
  CallLimits,
  Capability,
  CapabilityCode,
  CapabilityDeclaration,
  CapabilityKind,
  DangerCategory,
  Owner,
  PermissionRule,
  Provenance,
  ToolAnnotations,
  ToolCapability,
  ToolWire,
} from './capability.ts';
export type {
  CapabilitySource,
  LoadRequest,
  PluginConfig,
  PluginSettings,
  SourceSnapshot,
} from './capability-source.ts';
export type { CapabilityTable } from './capability-table.ts';
export type { ConfigInput } from './config-input.ts';
export { type Digest, digest } from './digest.ts';
export { type ExactJson, parseExactJson } from './exact-json.ts';
export type { PolicyView } from './executor.ts';
export type { HistoryMessage } from './history-message.ts';
export type { Json, JsonObject } from './json.ts';
export type { Locale } from './locale.ts';
export type {
  AssistantMessage,
  Message,
  ProviderData,
  ReasoningPart,
  TextPart,
  ToolMessage,
  UserMessage,
} from './message.ts';
export type { MessageKey } from './message-key.ts';
export type {
  ContentPart,
  Effect,
  ErrorOutcome,
  Outcome,
  OutcomeCode,
  ResultContent,
  SuccessOutcome,
} from './outcome.ts';
export { outcomeJson } from './outcome-json.ts';
export { partLabel } from './part-label.ts';
export type { Origin, Principal, Role, Scope } from './principal.ts';
export type { Problem } from './problem.ts';
export type { RecordEntry } from './record-entry.ts';
export type { Reply, ReplyChannel, StoredReply } from './reply.ts';
export type { Settings } from './settings.ts';
export type {
  Answered,
  AskQuery,
  CallMove,
  Claimed,
  Grant,
  Lease,
  NewTurn,
  OpenTurnQuery,
  Store,
  StoredSession,
  Taken,
  TurnChange,
} from './store.ts';
export type { StoredCall, StoredRequest, StoredTurn, TurnCancel } from './stored-turn.ts';
export { renderText } from './texts/render-text.ts';
export type { TurnError, TurnErrorCode, TurnEvent, TurnStatus, Usage } from './turn-event.ts';
export {
  type AskState,
  type CallState,
  type Failpoint,
  type TransitionName,
  type TurnState,
  transitions,
} from './turn-machine.ts';
