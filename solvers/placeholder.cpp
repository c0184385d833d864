namespace drystone {}
