import type { Catalogue } from './catalogue.ts';

/** What became of somebody's answer to an ask. */
export const answerTexts = {
  'answer.unknown': {
    en: 'There is nothing to answer under {code}. "baigong approvals list" shows what is open.',
    zh: '没有编号为 {code} 的审批或提问。"baigong approvals list" 会列出所有待处理项。',
  },
  'answer.approved': { en: '{code}: {tool} is approved.', zh: '{code}：已批准 {tool}。' },
  'answer.denied': { en: '{code}: {tool} is denied.', zh: '{code}：已拒绝 {tool}。' },
  'answer.answered': { en: '{code}: the answer was taken.', zh: '{code}：已收到回答。' },
  'answer.late': {
    en: '{code}: too late, it was closed before ({state}). Nothing changed.',
    zh: '{code}：为时已晚，该项此前已结束（{state}）。没有任何改变。',
  },
  'answer.stopping': {
    en: '{code}: {tool} had started already; it is asked to stop. Whether it took effect must be checked.',
    zh: '{code}：{tool} 已经开始执行，现已要求其停止。是否已生效需要核实。',
  },
  'answer.approval-wants': {
    en: '{code} is an approval: approve it or deny it.',
    zh: '{code} 是审批：请批准或拒绝。',
  },
  'answer.question-wants': {
    en: '{code} is a question: answer it with a text.',
    zh: '{code} 是提问：请用文字回答。',
  },
  'answer.question-options': {
    en: '{code}: answer with one of the options, or its number: {options}',
    zh: '{code}：请从选项中选择，或输入其编号：{options}',
  },
  'ask-state.open': { en: 'open', zh: '待处理' },
  'ask-state.approved': { en: 'approved', zh: '已批准' },
  'ask-state.denied': { en: 'denied', zh: '已拒绝' },
  'ask-state.answered': { en: 'answered', zh: '已回答' },
  'ask-state.expired': { en: 'expired', zh: '已过期' },
  'ask-state.withdrawn': { en: 'withdrawn', zh: '已撤回' },
} as const satisfies Catalogue;
