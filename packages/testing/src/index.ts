export type {
  Answer,
  AnswerFunction,
  ScriptedAnswer,
  ScriptedCall,
  ScriptedError,
  ScriptedUsage,
  Selection,
  When,
} from './answer.ts';
export { createProject, type TemporaryProject } from './create-project.ts';
export type {
  AnswerGiven,
  Conversation,
  ExchangeEnd,
  ReceivedCall,
  ReceivedMessage,
  ReceivedRequest,
  ReceivedResult,
  ReceivedTool,
} from './received-request.ts';
export type { ScriptedModelOptions, ScriptedModelServer } from './scripted-model-server.ts';
export { startScriptedModel } from './start-scripted-model.ts';
