export { admit } from './admit.ts';
export { mayAnswer } from './may-answer.ts';
export { parsePermission } from './parse-permission.ts';
export { requireApproval } from './require-approval.ts';
